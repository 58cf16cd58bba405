/**
 * The server name (SNI) by which the other boxes of an event ask for the certificate of the box's own authority, where the
 * HTTPS listener otherwise shows the organiser's. RFC 6761 reserves `.invalid`, so it is never the name of a host.
 */
export const OWN_CERTIFICATE = 'gatehouse-mesh.invalid'

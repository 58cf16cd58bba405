/** Drawings of the kinds of incidents, beside their names: 24 by 24. */
import type { IncidentState } from '../gate/model.ts'

export const INCIDENT_ICONS: Readonly<Record<IncidentState['kind'], string>> = {
  crush:
    'M12 2.500a2.500 2.500 0 110 5 2.500 2.500 0 010-5zM9 9h6v7h-1.500v6h-3v-6H9zM1 11h3V8.500L7.500 12 4 15.500V13H1zM23 11h-3V8.500L16.500 12l3.500 3.500V13h3z',
  medical: 'M9 3h6v6h6v6h-6v6H9v-6H3V9h6z',
  fire: 'M12 2c1 4 6 6.500 6 12a6 6 0 01-12 0c0-3 1.500-5 3-6 0 2 1 3 2 3 1.500 0 2-4 1-9z',
  need_staff:
    'M9 4a3.500 3.500 0 110 7 3.500 3.500 0 010-7zM2 20c0-4.500 3-7 7-7s7 2.500 7 7zM17 5h2v3h3v2h-3v3h-2v-3h-3V8h3z',
  security: 'M12 2l8 3v6c0 5-3.500 9-8 11-4.500-2-8-6-8-11V5z',
  lost_child:
    'M7 2a2.500 2.500 0 110 5 2.500 2.500 0 010-5zM4 8.500h6V16H9v6H5v-6H4zM16.500 9.500a2 2 0 110 4 2 2 0 010-4zM14 14.500h5V19h-1v3h-3v-3h-1z',
  access:
    'M10 2a2 2 0 110 4 2 2 0 010-4zM9 7h2.200v4H17l3 7-1.900.800L15.600 13.200H9zM7.500 11.500v2.300a4.200 4.200 0 105 5.400h2.300a6.400 6.400 0 11-7.300-7.700z',
  equipment: 'M21 7.500a6 6 0 01-8 5.200L6 20a2.100 2.100 0 01-3-3l7.300-7A6 6 0 0118 2.600L14.500 6l3 3z',
}

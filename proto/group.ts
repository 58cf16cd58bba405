/** The bound of admitting others of an order. It is no part of `wire/`: a scanner needs it, and not the library that its schemas are made with. */

/** Others of an order that one request admits. */
export const MOST_IN_GROUP = 20

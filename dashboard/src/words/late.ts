/** The sentences of screens that are loaded when they are needed. */
export { actionWords } from './en/actions.ts'
export { applianceWords } from './en/appliance.ts'
export { deskWords } from './en/desk.ts'
export { guideWords } from './en/guide.ts'
export { readyWords } from './en/ready.ts'
export { salesWords } from './en/sales.ts'
export { shopWords } from './en/shop.ts'
export { staffWords } from './en/staff.ts'

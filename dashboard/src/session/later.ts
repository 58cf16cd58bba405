/** Parts loaded after the sign-in page, in one file: its own way on a paired device, and other ways in than name and PIN. */
export { OtherWays } from './other-ways.tsx'
export { Door } from './tablet/door.tsx'

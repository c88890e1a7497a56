/** What the bundle exports to bin/quern and to the start-up snapshot. */
export { main } from './main.ts';
export { warmUp } from './warm_up.ts';

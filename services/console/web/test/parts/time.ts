export { session } from '../../src/base/api';
export { clock, fromHouse, gamingDay, moment } from '../../src/base/time';

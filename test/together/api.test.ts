import { together } from './together.ts';

together('unit/api');

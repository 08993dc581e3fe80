import { together } from './together.ts';

together('unit/!(core|api|cli|adapters|pipeline)');

import { together } from './together.ts';

together('stacks/!(access|data|pipeline|stages)');

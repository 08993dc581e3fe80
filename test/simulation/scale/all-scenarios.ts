import type { Scenario } from './scenario.ts';
import { comeback } from './scenarios/comeback.ts';
import { crowd } from './scenarios/crowd.ts';
import { fanOut } from './scenarios/fan-out.ts';
import { hanging } from './scenarios/hanging.ts';
import { hotPayment } from './scenarios/hot-payment.ts';
import { million } from './scenarios/million.ts';

export const ALL_SCENARIOS: readonly Scenario[] = [crowd, million, comeback, hotPayment, fanOut, hanging];

import type { Scenario } from './scenario.ts';
import { beginToHang } from './scenarios/begin-to-hang.ts';
import { behindBad } from './scenarios/behind-bad.ts';
import { comeback } from './scenarios/comeback.ts';
import { crowd } from './scenarios/crowd.ts';
import { fanOut } from './scenarios/fan-out.ts';
import { hanging } from './scenarios/hanging.ts';
import { hotPayment } from './scenarios/hot-payment.ts';
import { hotSubscription } from './scenarios/hot-subscription.ts';
import { million } from './scenarios/million.ts';
import { mixtures } from './scenarios/mixtures.ts';
import { pollers } from './scenarios/pollers.ts';
import { rates } from './scenarios/rates.ts';
import { refusals } from './scenarios/refusals.ts';
import { uneven } from './scenarios/uneven.ts';
import { wholeBudget } from './scenarios/whole-budget.ts';

export const ALL_SCENARIOS: readonly Scenario[] = [
  crowd,
  million,
  behindBad,
  uneven,
  comeback,
  hotPayment,
  hotSubscription,
  fanOut,
  hanging,
  mixtures,
  beginToHang,
  refusals,
  wholeBudget,
  rates,
  pollers,
];

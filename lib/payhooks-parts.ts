import type { Api } from './parts/api.ts';
import type { Archive } from './parts/archive.ts';
import type { Data } from './parts/data.ts';
import type { LoadLab } from './parts/load-lab.ts';
import type { Observability } from './parts/observability.ts';
import type { People } from './parts/people.ts';
import type { Pipeline } from './parts/pipeline.ts';

/** The parts of Payhooks, for what the verbs do not do. */
export interface PayhooksParts {
  readonly data: Data;
  readonly pipeline: Pipeline;
  readonly archive?: Archive;
  readonly api: Api;
  readonly loadLab?: LoadLab;
  readonly observability: Observability;
  readonly people: People;
}

import { memoryStore } from '../../../../../functions/load-lab/receiver/store/memory-store.ts';
import { keepsThePromisesOfReceiverStore } from './store-contract.ts';

keepsThePromisesOfReceiverStore(memoryStore);

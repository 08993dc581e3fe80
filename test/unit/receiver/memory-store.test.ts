import { memoryStore } from '../../../functions/receiver/memory-store.ts';
import { keepsThePromisesOfReceiverStore } from './store-contract.ts';

keepsThePromisesOfReceiverStore(memoryStore);

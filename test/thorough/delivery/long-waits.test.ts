/**
 * Each of these waits a minute or more for something that takes its time, so they wait together. The worker is ended before the others begin: whatever else
 * was in its batch would be held for as long as its records are invisible.
 */
import './long-waits/lost-worker.ts';
import './long-waits/outage.ts';
import './long-waits/refused-payment.ts';

/**
 * Each of these waits a minute or more, so they wait together. The worker is killed before the others begin:
 * other records in its batch would wait for its visibility timeout.
 */
import './long-waits/lost-worker.ts';
import './long-waits/outage.ts';
import './long-waits/refused-payment.ts';

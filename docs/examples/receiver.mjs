// Keeps webhooks in a file, answers, and works them off:  SECRET=whsec_... node receiver.mjs
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { isGenuine } from './verify/verify.mjs';

const { SECRET, PORT = '8080', INBOX = 'inbox.sqlite' } = process.env;
const inbox = new DatabaseSync(INBOX);
inbox.exec('CREATE TABLE IF NOT EXISTS webhooks (id TEXT PRIMARY KEY, body TEXT, is_done INTEGER DEFAULT 0)');
const keep = inbox.prepare('INSERT OR IGNORE INTO webhooks (id, body) VALUES (?, ?)');
const next = inbox.prepare('SELECT id, body FROM webhooks WHERE is_done = 0 ORDER BY rowid LIMIT 1');
const done = inbox.prepare('UPDATE webhooks SET is_done = 1 WHERE id = ?');

/** Your work. What it does twice must do no harm: the process may end before it is done. */
function handle({ event_type, resource_id }) {
  console.log(`${event_type} ${resource_id}`);
}

function workOff() {
  for (let kept = next.get(); kept !== undefined; kept = next.get()) {
    handle(JSON.parse(kept.body));
    done.run(kept.id);
  }
}

async function receive(request, response) {
  const body = await buffer(request);
  const genuine = isGenuine(body, request.headers, SECRET);
  // One with an id that is there already is a repeat: nothing is kept, and the answer is the same.
  if (genuine) keep.run(request.headers['webhook-id'], body.toString());
  response.writeHead(genuine ? 204 : 401).end();
  setImmediate(workOff);
}

const server = createServer((request, response) => {
  receive(request, response).catch(() => response.destroy());
});
server.listen(Number(PORT), () => {
  console.log(`listening on port ${server.address().port}`);
  workOff();
});

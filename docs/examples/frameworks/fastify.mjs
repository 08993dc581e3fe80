import Fastify from 'fastify';
import { isListening, PORT, receive } from './inbox.mjs';

const app = Fastify({ bodyLimit: 1_048_576 });
// In a plugin of its own, your other routes keep their parsed bodies.
app.register(async (webhooks) => {
  webhooks.removeContentTypeParser('application/json');
  webhooks.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) =>
    done(null, body),
  );
  webhooks.post('/', (request, reply) => reply.code(receive(request.body, request.headers)).send());
});
await app.listen({ port: PORT, host: '127.0.0.1' });
isListening(app.server.address().port);

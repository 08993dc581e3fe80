import express from 'express';
import { isListening, PORT, receive } from './inbox.mjs';

const app = express();
// Above express.json(), which would leave nothing of the text. Without a limit of its own, Express takes 100 kB.
app.post('/', express.raw({ type: 'application/json', limit: '300kb' }), (request, response) => {
  response.status(receive(request.body.toString(), request.headers)).end();
});
const server = app.listen(PORT, '127.0.0.1', () => isListening(server.address().port));

import { pythonSays } from './python-says.ts';

const WRITE = `
import json, sys
from whole_answers import in_one_piece

seen, later = [], []

class Transport:
    def writelines(self, parts): seen.append(b"".join(parts).decode())
    def close(self): seen.append("closed")
    def is_closing(self): return "closed" in seen

class Protocol:
    def connection_made(self, transport): self.transport = transport

connection = in_one_piece(Protocol, later.append)()
connection.connection_made(Transport())
for step in json.loads(sys.argv[1]):
    for word in step:
        connection.transport.close() if word == "close" else connection.transport.write(word.encode())
    while later:
        later.pop(0)()
seen.append(connection.transport.is_closing())
print(json.dumps(seen))
`;

/** What is sent, and whether the connection is closed at the end, for these writes in these steps. */
async function goesOut(...steps: string[][]): Promise<unknown> {
  return JSON.parse(await pythonSays(WRITE, JSON.stringify(steps)));
}

test('head and body of an answer are sent in one piece, each answer by itself', async () => {
  expect(await goesOut(['head ', 'body'], ['next head ', 'next body'])).toEqual([
    'head body',
    'next head next body',
    false,
  ]);
});

test('data written before the connection closes is still sent', async () => {
  expect(await goesOut(['head ', 'body', 'close'])).toEqual(['head body', 'closed', true]);
});

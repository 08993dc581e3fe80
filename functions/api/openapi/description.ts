/** What somebody should know before the first request. Markdown. */
export const DESCRIPTION = `With this API a service looks after its webhooks: it registers callback URLs, sees what became of every message,
and has sent once more what did not arrive.

**Guides.** [Receiving webhooks](docs/receiving.md): verify, answer, order, repeats, limits. [The HTTP API](docs/api.md): register a URL, watch
it, recover what was missed, and a client for the terminal.

**Tokens.** Send \`authorization: Bearer phk_...\`. A token belongs to one service and sees nothing of any other; what belongs to another
service is answered as if it did not exist. A token has the scope \`read\`, \`write\` or both, and a number of requests that it may make in a
minute; beyond it the answer is 429 with \`retry-after\`.

**Requests.** Bodies are JSON of at most 16 KB. Members and query parameters that are not known are refused with their name, and so is a body where none is taken. A POST with an
\`idempotency-key\` is carried out once, however often it is sent within a day; only one whose worker died in the middle of it may be carried out again, by a repeat half a minute later.
Changes may be made conditional with \`if-match\`.

**Answers.** Instants are ISO 8601 in UTC with milliseconds. Later versions may add members: ignore what you do not know. What is refused is
answered with a problem document (RFC 9457); its \`type\` is stable, \`detail\` says what is wrong, and \`errors\` names each field at fault. Every answer carries
\`x-request-id\`. Two kinds of answers are not ours but API Gateway's, with \`{"message": "..."}\` and \`apigw-requestid\`: 429 while all
services together send more than the API takes, and 500 or 503 while it cannot reach us. Send such a request again a little later.
`;

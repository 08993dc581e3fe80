/** What to know before the first request. Markdown. */
export const DESCRIPTION = `Manage the webhooks of your service: register callback URLs, see what happened to each
message, and send messages again.

**Guides.** [Receiving webhooks](docs/receiving.html): signatures, responses, ordering, duplicates and limits.
[The HTTP API](docs/api.html): register a URL, watch it, recover missed messages, and use the terminal client.
[Filters and fields](docs/filters.html): only the events you want, and what you need of them.
[Pulling messages](docs/pull.html): events on your laptop, or behind a firewall.
[Proof](docs/proof.html): answer a challenge before the first payment. [Notices](docs/notices.html): hear when your endpoint fails.
[Event types](docs/event-types.html): what you can subscribe to, with schemas and samples.

**Authentication.** Send \`authorization: Bearer phk_...\`. A token belongs to one service. Resources of other
services return 404, as if they did not exist. A token has the scope \`read\`, \`write\` or both, and a limit of
requests per minute. Above the limit you get 429 with \`retry-after\`. A portal session's token, \`phs_...\`, is sent
likewise; one that is limited to some subscriptions gets 404 for all others.

**Requests.** Bodies are JSON, at most 16 KB (80 KB to choose what a recovery sends). Unknown fields and query parameters are errors, and so is a body
where an operation takes none. A POST with an \`idempotency-key\` is carried out once, however often you send it
within a day. The one exception: if our worker dies halfway through, a repeat after half a minute may carry it out
again. Send \`if-match\` to make a change conditional.

**Responses.** Timestamps are ISO 8601 in UTC with milliseconds. Later versions may add fields: ignore those you
do not know. Errors are problem documents (RFC 9457): \`type\` is stable, \`detail\` says what is wrong, and
\`errors\` names each invalid field. Every response has an \`x-request-id\`. Two kinds of errors come from API
Gateway instead, with \`{"message": "..."}\` and \`apigw-requestid\`: 429 when all services together exceed the
capacity of the API, and 500 or 503 when API Gateway cannot reach us. Retry them a little later.
`;

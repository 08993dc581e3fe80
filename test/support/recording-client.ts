/** A client of the AWS SDK that sends nothing: `answer` answers its calls, and `inputs` has what they ask. */
export function recordingClient<Client, Input extends object = object>(
  answer: (input: Input, call: number) => unknown,
) {
  const inputs: Input[] = [];
  const client = {
    async send({ input }: { input: Input }) {
      inputs.push(input);
      return answer(input, inputs.length);
    },
  };
  return { client: client as unknown as Client, inputs };
}

/** Answers each call with the next of these. */
export function inTurn(...answers: (object | Error)[]) {
  return () => {
    const answer = answers.shift();
    if (answer instanceof Error) {
      throw answer;
    }
    return answer;
  };
}

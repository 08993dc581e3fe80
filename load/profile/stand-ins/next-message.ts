import type { ChildProcess } from 'node:child_process';

/** The next message of a child process. @throws when it exits instead */
export function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const hear = (message: unknown) => {
      child.off('exit', giveUp);
      resolve(message as Message);
    };
    const giveUp = (code: number | null) => {
      child.off('message', hear);
      reject(new Error(`a process of the profile exited with code ${code}`));
    };
    child.once('message', hear).once('exit', giveUp);
  });
}

/** The engine of Artillery, as far as it is used here. It has no types of its own. */
declare module '@artilleryio/int-core' {
  interface Run {
    on(event: 'done', listener: () => void): void;
    run(): void;
  }
  export const runner: {
    runner(script: object, payload: undefined, options: object): Promise<Run>;
  };
}

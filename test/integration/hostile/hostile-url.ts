/** A callback URL that probes our network. */
export interface HostileUrl {
  readonly why: string;
  readonly url: string;
  /**
   * Whether a client without a guard reaches the listeners with it. The other URLs lead where no test may go,
   * or nowhere.
   */
  readonly reachesListener: boolean;
  /** The answer to its registration: 503 where the name server fails. */
  readonly registration: 400 | 422 | 503;
  /** The result of an attempt on it. */
  readonly failureClass: 'blocked_address' | 'dns';
}

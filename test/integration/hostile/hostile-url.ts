/** A callback URL of somebody who wants to see the inside of our network. */
export interface HostileUrl {
  readonly why: string;
  readonly url: string;
  /** A client without a guard gets to the listeners with it; the others lead to where no test may go, or nowhere. */
  readonly reachesListener: boolean;
  /** What registering it is answered with: 503 where the name servers were no help. */
  readonly registration: 400 | 422 | 503;
  /** What an attempt on it ends as. */
  readonly failureClass: 'blocked_address' | 'dns';
}

/** How long calls to AWS take. */
export interface Network {
  /**
   * From a call to its effect, in ms.
   *
   * @param size how many records, items or actions the call is about
   */
  thereMs(port: string, size: number): number;
  /** From its effect to its response, in ms. */
  backMs(): number;
}

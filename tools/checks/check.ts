/** A checker that others wrote, over what this repository holds. */
export interface Check {
  readonly name: string;
  /** One line for each fault; none when all is well. */
  faults(): Promise<readonly string[]>;
}

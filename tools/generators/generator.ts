/** Writes files that are derived from the code; paths are relative to the repository. */
export interface Generator {
  readonly name: string;
  outputs(): Promise<Record<string, string>>;
}

/** One-way hashes of passwords, deliberately slow. */
export interface PasswordHashes {
  /** A salted hash in PHC format, which names its algorithm and cost. */
  hash(password: string): Promise<string>;
  /** Compares with a hash of any cost. */
  verify(hash: string, password: string): Promise<boolean>;
}

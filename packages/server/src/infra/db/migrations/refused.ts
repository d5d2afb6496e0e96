/** Why migrations do not run or the program does not start on this schema: one line for the operator. */
export class MigrationRefused extends Error {
  override name = "MigrationRefused";
}

/** Migrations cannot run, or the process cannot start with this schema. The message is one line for the operator. */
export class MigrationRefused extends Error {
  override name = "MigrationRefused";
}

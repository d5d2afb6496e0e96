/** A handler of errors that says where the disk is full: errors of writing to an open file do not name it. */
export function fullAt(place: string) {
  return (error: unknown): never => {
    const { code, path } = error as NodeJS.ErrnoException;
    const isFull = code === "ENOSPC" || code === "EDQUOT";
    throw isFull && path === undefined ? Object.assign(error as Error, { path: place }) : error;
  };
}

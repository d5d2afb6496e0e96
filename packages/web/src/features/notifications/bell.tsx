/** The count of unread notifications, and the list of them. */
export function Bell() {
  return null;
}

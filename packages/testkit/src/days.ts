/** The zone of the databases that tests run the program with. */
const zone = "Europe/Berlin";
const days = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });

/** The calendar day of an instant as the program counts it: `YYYY-MM-DD`. */
export const dayOf = (instant: number): string => days.format(instant);

/** The day so many days from today; a negative number goes back. */
export function dayFromNow(count: number): string {
  const today = Date.parse(`${dayOf(Date.now())}T00:00:00Z`);
  return new Date(today + count * 86_400_000).toISOString().slice(0, 10);
}

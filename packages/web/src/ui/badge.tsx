import classes from "./badge.module.css";

const MOST = 99;

/** How much waits on a page, beside its name in the navigation; nothing while nothing does. */
export function Badge({ count, label }: { count: number; label: string }) {
  if (count === 0) return null;
  return (
    <span className={classes["badge"]} title={label}>
      <span aria-hidden>{count > MOST ? `${MOST}+` : count}</span>
      <span className="rc-hidden">{label}</span>
    </span>
  );
}

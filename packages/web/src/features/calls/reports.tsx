import { Link } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { Section, TimeAgo } from "#ui/small.tsx";
import type { Call, CallDetail } from "./calls.queries.ts";
import classes from "./calls.module.css";

/** How often a call was reported; nothing for one that was reported once. */
export function AlertCount({ alerts }: Pick<Call, "alerts">) {
  const { t } = useText();
  if (alerts === 1) return null;
  const said = t("calls.alerts", { count: alerts });
  return (
    <span className={classes["alerts"]} title={said}>
      <span aria-hidden>×{alerts}</span>
      <span className="rc-hidden">{said}</span>
    </span>
  );
}

/** What everybody said who reported the same. */
export function Reports({ call: { alerts, reports } }: { readonly call: CallDetail }) {
  const { t } = useText();
  if (reports.length < 2) return null;
  return (
    <Section title={t("calls.reports")} count={alerts}>
      <ol className={classes["list"]} data-reports>
        {reports.map(({ id, at, message, anonymous, citizen }) => (
          <li key={id}>
            <span className={classes["about"]}>
              <span className={classes["text"]}>{message}</span>
              <span className={classes["quiet"]}>
                {citizen === null ? (
                  t(anonymous ? "calls.anonymous" : "calls.server")
                ) : (
                  <Link to="/citizens/$id" params={{ id: String(citizen.id) }}>
                    {citizen.name}
                  </Link>
                )}
              </span>
            </span>
            <TimeAgo instant={at} />
          </li>
        ))}
      </ol>
      {reports.length < alerts && <p className={classes["quiet"]}>{t("calls.reportsCut", { count: reports.length })}</p>}
    </Section>
  );
}

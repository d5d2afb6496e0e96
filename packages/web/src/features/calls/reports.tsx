import { Link } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { Facts, Section, TimeAgo } from "#ui/small.tsx";
import type { Call, CallDetail } from "./calls.queries.ts";
import classes from "./calls.module.css";

/** How often a call was reported; nothing for one that was reported once. */
export function AlertCount({ alerts }: Pick<Call, "alerts">) {
  const { t } = useText();
  if (alerts === 1) return null;
  const said = t("calls.alerts", { count: alerts });
  return (
    <span className={classes["alerts"]} title={said} data-alerts>
      <span aria-hidden>×{alerts}</span>
      <span className="rc-hidden">{said}</span>
    </span>
  );
}

/** What everybody said who reported the same, with the number of those who left one, and what the first one was asked. */
export function Reports({ call: { alerts, reports, callers, answers } }: { readonly call: CallDetail }) {
  const { t } = useText();
  if (reports.length < 2) return null;
  const phoneOf = ({ at, citizen }: CallDetail["reports"][number]) =>
    citizen === null ? null : (callers.find((one) => one.at === at && one.citizen?.id === citizen.id)?.phone ?? null);
  return (
    <Section title={t("calls.reports")} count={alerts}>
      <ol className={classes["list"]} data-reports>
        {reports.map((report) => {
          const { id, at, message, anonymous, citizen } = report;
          const phone = phoneOf(report);
          return (
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
              {phone !== null && <span className="rc-number">{phone}</span>}
              <TimeAgo instant={at} />
            </li>
          );
        })}
      </ol>
      {answers.length > 0 && <Facts facts={answers.map(({ question, answer }) => ({ label: question, value: answer }))} />}
      {reports.length < alerts && <p className={classes["quiet"]}>{t("calls.reportsCut", { count: reports.length })}</p>}
    </Section>
  );
}

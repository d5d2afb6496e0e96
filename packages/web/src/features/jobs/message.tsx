import { useText } from "#core/i18n.ts";
import { TimeAgo } from "#ui/small.tsx";
import { useProperties } from "./jobs.queries.ts";
import classes from "./jobs.module.css";

/** The message of the day of one's job, and its radio frequency. */
export function JobMessage() {
  const { t } = useText();
  const { properties, message } = useProperties().query.data ?? {};
  if (!properties || (properties.message === "" && properties.radioFrequency === "")) return null;
  return (
    <section className={classes["message"]} aria-label={t("jobs.message")}>
      {properties.message !== "" && <p>{properties.message}</p>}
      <div className={classes["foot"]}>
        {properties.radioFrequency !== "" && <span>{t("jobs.radio", { frequency: properties.radioFrequency })}</span>}
        {message && (
          <span>
            {message.by} · <TimeAgo instant={message.at} />
          </span>
        )}
      </div>
    </section>
  );
}

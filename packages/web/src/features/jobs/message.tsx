import { useQuery } from "@tanstack/react-query";
import { getProperties, jobTopic } from "@rollcall/server/contract/jobs";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { TimeAgo } from "#ui/small.tsx";
import classes from "./jobs.module.css";

/** The message of the day of one's job, and its radio frequency. */
export function JobMessage() {
  const { t } = useText();
  const { character, jobAdmin } = useActiveIdentity();
  const job = jobAdmin?.job ?? character.job.name;
  const query = useQuery({ ...queryOf(getProperties, { params: { job } }), retry: false });
  useFollow(jobTopic, job);
  const { properties, message } = query.data ?? {};
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

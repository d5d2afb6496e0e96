import { useQuery } from "@tanstack/react-query";
import { accessLogSeen, myAccessLog } from "@rollcall/server/contract/audit";
import { usePreference } from "#core/accountPreferences.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { CardLines, HomeCard, mostLines } from "#ui/homeCard.tsx";
import { JobTag, TimeAgo } from "#ui/small.tsx";

/** The access log has no topic: it is read this often while the card is shown. Milliseconds. */
const EVERY = 60_000;

/** How often the own profile was opened since its player last looked; nothing while it was not. */
export default function AccessLogCard() {
  const { t } = useText();
  const { value: seen, known } = usePreference(accessLogSeen);
  const query = useQuery({
    ...queryOf(myAccessLog, { query: { from: seen.at + 1, limit: mostLines } }),
    enabled: known,
    refetchInterval: EVERY,
  });
  const { items = [], total = 0 } = query.data ?? {};
  if (total === 0) return null;
  return (
    <HomeCard
      title={t("audit.lookups.title")}
      to="/notifications/lookups"
      action={t("audit.lookups.card.open")}
      sentence={t("audit.lookups.card.news", { count: total })}
    >
      <CardLines
        lines={items.map(({ id, at, job }) => ({
          key: id,
          line: (
            <>
              {job === null ? <span>{t("audit.lookups.noJob")}</span> : <JobTag job={{ name: job, label: "" }} />}
              <TimeAgo instant={at} />
            </>
          ),
        }))}
      />
    </HomeCard>
  );
}

import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { listAccounts } from "@rollcall/server/contract/accounts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { Section, TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import classes from "./accounts.module.css";

/** Leads from a profile to the account that plays it. */
export default function AccountOfCharacter({ citizenId }: { readonly citizenId: number }) {
  const { t } = useText();
  const query = useQuery(queryOf(listAccounts, { query: { character: citizenId, limit: 1 } }));
  const account = query.data?.items[0];
  return (
    <Section title={t("accounts.sections.facts")} screenOnly>
      {query.isPending && <Bars widths={["45%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isSuccess && !account && <p className={classes["none"]}>{t("accounts.noAccount")}</p>}
      {account && (
        <>
          <Link to="/panel/accounts/$id" params={{ id: String(account.id) }}>
            {account.username ?? t("accounts.unregistered")}
          </Link>
          {account.lastSeenAt !== null && (
            <>
              {" · "}
              {t("accounts.columns.lastSeenAt")} <TimeAgo instant={account.lastSeenAt} />
            </>
          )}
        </>
      )}
    </Section>
  );
}

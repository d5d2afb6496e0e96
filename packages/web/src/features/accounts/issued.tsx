import type { OutputOf } from "@rollcall/server/contract/core";
import type { issueAccountToken } from "@rollcall/server/contract/accounts";
import { useText } from "#core/i18n.ts";
import { CopyText } from "#ui/copy.tsx";
import classes from "./accounts.module.css";

/** A registration token, which is shown only once. */
export function Issued({ issued }: { issued: OutputOf<typeof issueAccountToken> }) {
  const { t } = useText();
  return (
    <div className={classes["issued"]} role="status">
      <p>{t("accounts.tokens.once")}</p>
      <CopyText text={issued.token} label={t("accounts.tokens.token")} />
      <CopyText text={issued.url} label={t("accounts.tokens.link")} />
    </div>
  );
}

import { useQuery } from "@tanstack/react-query";
import { getSettings } from "@rollcall/server/contract/settings";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { go } from "#core/session/path.ts";
import classes from "./setup.module.css";

/** Reminds config admins that the setup is not finished. */
export default function SetupHint() {
  const { t } = useText();
  const query = useQuery(queryOf(getSettings, {}));
  if (query.data?.settings.general.setupComplete !== false) return null;
  return (
    <p className={classes["hint"]}>
      {t("setup.hint.text")}{" "}
      <a
        href="/setup"
        onClick={(event) => {
          event.preventDefault();
          go("/setup");
        }}
      >
        {t("setup.hint.go")}
      </a>
    </p>
  );
}

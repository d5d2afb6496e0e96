import { useEffect, useState, type MouseEvent } from "react";
import { authOptions } from "@rollcall/server/contract/auth";
import { useText } from "#core/i18n.ts";
import { transport } from "#core/services.ts";
import { go } from "#core/session/path.ts";
import classes from "./auth.module.css";

/** Links to the pages that accept a token; registration only while it is open. */
export function TokenLinks() {
  const { t } = useText();
  const [signUp, setSignUp] = useState(false);
  useEffect(() => {
    transport.send(authOptions, {}).then(
      (options) => setSignUp(options.signUp),
      () => undefined,
    );
  }, []);
  const follow = (path: string) => (event: MouseEvent) => {
    event.preventDefault();
    go(path);
  };
  return (
    <div className={classes["links"]}>
      {signUp && (
        <a href="/register" onClick={follow("/register")}>
          {t("auth.login.register")}
        </a>
      )}
      <a href="/reset" onClick={follow("/reset")}>
        {t("auth.login.reset")}
      </a>
    </div>
  );
}

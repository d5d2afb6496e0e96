import { bind, type Binding } from "#core/feature.ts";
import * as contract from "./access.contract.ts";
import type { DefaultRoleService } from "./access.default.service.ts";
import type { ExplainService } from "./access.explain.service.ts";
import type { LimitsService } from "./access.limits.service.ts";
import type { AttributeRows } from "./access.rows.service.ts";
import type { MatrixService } from "./access.matrix.service.ts";
import type { PreviewService } from "./access.preview.service.ts";
import type { RolesService } from "./access.roles.service.ts";

interface Services {
  readonly rows: AttributeRows;
  readonly explain: ExplainService;
  readonly roles: RolesService;
  readonly matrix: MatrixService;
  readonly preview: PreviewService;
  readonly defaultRole: DefaultRoleService;
  readonly limits: LimitsService;
}

export function accessRoutes({ rows, explain, roles, matrix, preview, defaultRole, limits }: Services): Binding[] {
  return [
    bind(contract.accessCatalogue, async () => explain.catalogue()),
    bind(contract.attributeRows, async (_call, { params, query }) => await rows.list(params.source, query)),
    bind(contract.myRights, async (call) => await explain.mine(call.viewer())),
    bind(contract.rightsOf, async (call, { query }) => await explain.rightsOf(call.viewer(), query)),
    bind(contract.listRoles, async (call, { params }) => await roles.list(call, params.job)),
    bind(contract.roleMatrix, async (call, { params }) => await matrix.matrix(call, params.job)),
    bind(contract.getRole, async (call, { params }) => await roles.get(call, params)),
    bind(contract.createRole, async (call, { params, body }) => await roles.create(call, { ...params, ...body })),
    bind(contract.putRole, async (call, { params, body }) => await roles.put(call, params, body)),
    bind(contract.previewRole, async (call, { params, body }) => await preview.preview(call, params, body.grants)),
    bind(contract.deleteRole, async (call, { params }) => await roles.remove(call, params)),
    bind(contract.roleHistory, async (call, { params }) => await roles.history(call, params)),
    bind(contract.undoRole, async (call, { params: { version, ...role } }) => await roles.undo(call, role, version)),
    bind(contract.getDefaultRole, async () => await defaultRole.get()),
    bind(contract.putDefaultRole, async (call, { body }) => await defaultRole.put(call, body)),
    bind(contract.defaultHistory, async () => await defaultRole.history()),
    bind(contract.undoDefault, async (call, { params }) => await defaultRole.undo(call, params.version)),
    bind(contract.listLimits, async () => await limits.list()),
    bind(contract.getLimits, async (_call, { params }) => await limits.get(params.job)),
    bind(contract.putLimits, async (call, { params, body }) => await limits.put(call, params.job, body)),
    bind(contract.limitsHistory, async (_call, { params }) => await limits.history(params.job)),
    bind(contract.undoLimits, async (call, { params }) => await limits.undo(call, params.job, params.version)),
  ];
}

/** The choice of a role in a form. */
import { STAFF_ROLES, type StaffRole } from '@gatehouse/proto/operations.ts'
import type { Field } from '../../widgets/forms.ts'
import { staffWords as say } from '../../words/late.ts'

export const roleField = (value: StaffRole): Field => ({
  name: 'role',
  label: say.role,
  kind: 'choice',
  value,
  required: true,
  options: STAFF_ROLES.map((role) => ({ value: role, label: say.roles[role] })),
})

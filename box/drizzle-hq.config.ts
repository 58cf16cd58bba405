import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/hq/schema.ts',
  out: './migrations-hq',
  schemaFilter: ['gatehouse'],
})

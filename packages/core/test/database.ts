export { layerMemory as database } from "../../adapter-node/src/database/PgliteMemory.ts"

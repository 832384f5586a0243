import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "search",
	size: 24,
	node: [["path", {
		d: "m21 21-4.34-4.34",
		key: "14j7rj"
	}], ["circle", {
		cx: "11",
		cy: "11",
		r: "8",
		key: "4ej97u"
	}]]
};
__iconData.node;
const Search = createLucideIcon(__iconData);
export { __iconData, Search as default };

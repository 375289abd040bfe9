package speech

import "strings"

// otherWords are the most frequent words of English, without those that sound like yes or no. Words of answers
// are among them, but an answer has its words in a certain order.
const otherWords = `
about above add after again air all almost along always and animal another answer any are as ask at away back be
because been before began begin being below between big book both boy but call came can car carry change children city
close come could country cut did different do does down each earth eat end enough even every example eye face far
father feet few find first follow food for form found four get girl give good got great group grow had hand hard has
have he head hear help her here high him his house how idea if important into it just keep kind land large last later
learn leave left let letter life light like line list little live long look made make man many may mean men might mile
miss more most mother mountain move much must name near need never new next night not number of off often old on once
only open our out over own page paper part people picture place plant play point put read really right river run said
same saw say school sea second see seem sentence set she should show side small so some something sometimes song soon
sound spell start state still stop story study such take talk than that the their them then there these they thing
think this those thought three through together too took tree try turn under until up us use very walk want was watch
water way we well went were what when where which while white who why will with without work world would write year
young your
`

// otherRules is a grammar of otherWords in any order.
var otherRules = "<answer> = (" + strings.Join(strings.Fields(otherWords), " | ") + ")+;\n"

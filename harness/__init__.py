"""The judge: gives the same case to several engines and says whether they behaved alike.

Today it is the command line and the measure of the language core: recorded answers of the real Terraform in the
corpus, asked again of our own evaluator. Comparing whole validate, plan and apply stories comes with the engines.
"""
